"""Compiles through a library while SIGINT arrives: interrupt.py LIBRARY"""

import ctypes
import os
import signal
import sys
import threading

PTX = b""".version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
ret;
}
"""

library = ctypes.CDLL(sys.argv[1])
compiler = ctypes.c_void_p()
assert library.nvPTXCompilerCreate(ctypes.byref(compiler), ctypes.c_size_t(len(PTX)), PTX) == 0
options = (ctypes.c_char_p * 1)(b"--gpu-name=sm_80")
threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    library.nvPTXCompilerCompile(compiler, 1, options)
    while True:
        threading.Event().wait(1)
except KeyboardInterrupt:
    size = ctypes.c_size_t()
    print(library.nvPTXCompilerGetCompiledProgramSize(compiler, ctypes.byref(size)), size.value > 0)
assert library.nvPTXCompilerDestroy(ctypes.byref(compiler)) == 0
