"""Serves a GGUF file by llama.cpp, as OpenAI's servers speak: python serve.py FILE PORT"""

import sys
import threading

import xllamacpp

file, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = file
params.port = int(port)
params.n_parallel = 4
params.n_ctx = 4 * 4096
params.n_gpu_layers = 0
# llama.cpp's threads wait for one another by spinning: with a second one on a busy machine everything takes ten times as long
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()
