export const usage = `Atoll: a computer for every AI conversation.

  atoll run [options] [file.py]   run Python in a fresh sandbox; without a file, from -c or standard input
  atoll demo                      see what a sandbox does, in a few seconds
  atoll help                      this text

Options of run:
  -c, --code <text>      the code itself
  -d, --data <path>      show a file or folder read-only in /data (may be repeated)
  -o, --output <folder>  where to keep the files that the code makes
      --runtime <name>   local, host (no isolation at all) or auto   [SANDBOX_RUNTIME, else auto]
      --timeout <s>      seconds the code may take                   [120]
      --memory <MiB>     memory it may use                           [1024]`;
