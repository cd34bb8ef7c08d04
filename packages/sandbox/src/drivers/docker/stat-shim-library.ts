const pageBytes = 0x1000;
const headerBytes = 64 + 4 * 56;
/** `statx` and `fstatat` jump to the C library's `syscall`, which sets `errno` as they would. Its address is found here. */
const syscallAddress = pageBytes;
const dynamicAt = pageBytes + 16;

/**
 * An ELF shared object for x86-64 with `statx` and `fstatat` that leave `AT_NO_AUTOMOUNT` out. Written byte by byte, since
 * neither the host nor an image need have a compiler.
 */
export function buildStatShim(): Buffer {
  const names = ["", "syscall", "statx", "fstatat", "fstatat64"];
  const strings = Buffer.from(`${names.join("\0")}\0`);
  const nameAt = (name: string) => (name === "" ? 0 : strings.indexOf(`\0${name}\0`) + 1);
  const symbolsAt = headerBytes;
  const stringsAt = symbolsAt + names.length * 24;
  const hashAt = align(stringsAt + strings.length);
  const relocationAt = align(hashAt + 4 * (3 + names.length));
  const statxAt = relocationAt + 24;
  const statx = jumpToSyscall(statxAt, [
    [0x4d, 0x89, 0xc1], // mov r9, r8            the buffer
    [0x41, 0x89, 0xc8], // mov r8d, ecx          the mask
    [0x89, 0xd1], // mov ecx, edx                the flags …
    [0x81, 0xe1, 0xff, 0xf7, 0xff, 0xff], // and ecx, ~AT_NO_AUTOMOUNT
    [0x48, 0x89, 0xf2], // mov rdx, rsi          the path
    [0x48, 0x63, 0xf7], // movsxd rsi, edi       the folder
    [0xbf, 0x4c, 0x01, 0x00, 0x00], // mov edi, 332: SYS_statx
  ]);
  const fstatatAt = align(statxAt + statx.length);
  const fstatat = jumpToSyscall(fstatatAt, [
    [0x41, 0x89, 0xc8], // mov r8d, ecx          the flags …
    [0x41, 0x81, 0xe0, 0xff, 0xf7, 0xff, 0xff], // and r8d, ~AT_NO_AUTOMOUNT
    [0x48, 0x89, 0xd1], // mov rcx, rdx          the buffer
    [0x48, 0x89, 0xf2], // mov rdx, rsi          the path
    [0x48, 0x63, 0xf7], // movsxd rsi, edi       the folder
    [0xbf, 0x06, 0x01, 0x00, 0x00], // mov edi, 262: SYS_newfstatat
  ]);
  const codeEnd = fstatatAt + fstatat.length;
  const [weakUnknown, globalFunction, codeSection] = [0x20, 0x12, 1];
  const defined = (name: string, address: number) =>
    symbol(nameAt(name), globalFunction, codeSection, address);
  const symbols = Buffer.concat([
    symbol(0, 0, 0, 0),
    symbol(nameAt("syscall"), weakUnknown, 0, 0),
    defined("statx", statxAt),
    defined("fstatat", fstatatAt),
    defined("fstatat64", fstatatAt),
  ]);
  // One bucket, which begins with the last symbol; each points to the one before it.
  const hash = words32(1, names.length, names.length - 1, ...names.map((_, index) => Math.max(index - 1, 0)));
  const fillAddressOf = (index: number) => (BigInt(index) << 32n) | 6n; // R_X86_64_GLOB_DAT
  const relocation = words64(syscallAddress, fillAddressOf(1), 0);
  const entries: readonly (readonly [tag: number, value: number])[] = [
    [4, hashAt], // DT_HASH
    [5, stringsAt], // DT_STRTAB
    [6, symbolsAt], // DT_SYMTAB
    [7, relocationAt], // DT_RELA
    [8, relocation.length], // DT_RELASZ
    [9, 24], // DT_RELAENT
    [10, strings.length], // DT_STRSZ
    [11, 24], // DT_SYMENT
    [0, 0],
  ];
  const dynamic = words64(...entries.flat());
  const file = Buffer.alloc(dynamicAt + dynamic.length);
  const [load, dynamicPart, stackPart, readExecute, readWrite] = [1, 2, 0x6474e551, 5, 6];
  elfHeader(4).copy(file);
  Buffer.concat([
    part(load, readExecute, 0, codeEnd),
    part(load, readWrite, pageBytes, file.length - pageBytes),
    part(dynamicPart, readWrite, dynamicAt, dynamic.length),
    part(stackPart, readWrite, 0, 0),
  ]).copy(file, 64);
  for (const [at, bytes] of [
    [symbolsAt, symbols],
    [stringsAt, strings],
    [hashAt, hash],
    [relocationAt, relocation],
    [statxAt, statx],
    [fstatatAt, fstatat],
    [dynamicAt, dynamic],
  ] as const)
    bytes.copy(file, at);
  return file;
}

function jumpToSyscall(at: number, instructions: readonly (readonly number[])[]): Buffer {
  const code = [...instructions.flat(), 0xff, 0x25]; // jmp [rip + distance]
  const distance = Buffer.alloc(4);
  distance.writeInt32LE(syscallAddress - (at + code.length + 4));
  return Buffer.from([...code, ...distance]);
}

function elfHeader(parts: number): Buffer {
  const header = Buffer.alloc(64);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // ELF, 64 bits, little-endian
  header.writeUInt16LE(3, 16); // a shared object
  header.writeUInt16LE(62, 18); // x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(64n, 32); // The parts follow this header.
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(parts, 56);
  return header;
}

function part(kind: number, rights: number, at: number, bytes: number): Buffer {
  return Buffer.concat([words32(kind, rights), words64(at, at, at, bytes, bytes, pageBytes)]);
}

function symbol(name: number, kind: number, section: number, address: number): Buffer {
  const rest = Buffer.from([kind, 0, section, 0]);
  return Buffer.concat([words32(name), rest, words64(address, 0)]);
}

function words32(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

function words64(...values: (number | bigint)[]): Buffer {
  return Buffer.from(BigUint64Array.from(values, BigInt).buffer);
}

function align(at: number): number {
  return Math.ceil(at / 8) * 8;
}
