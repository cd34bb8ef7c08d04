"""The guest where there is no Linux inside: Python in WebAssembly (Pyodide), one interpreter, files in its memory.

JavaScript is out of reach of everything here. What leads out of the interpreter are a few devices that carry bytes; see
`devices.py`. Modules in `stubs` take the places of those that need processes.
"""
