"""Runs one small agent under real instrumentation and exports its traces.

    python export_traces.py openinference URL   # spans of OpenInference's instrumentation of openai, to an OTLP receiver
    python export_traces.py genai URL           # spans by OpenTelemetry's GenAI conventions, to an OTLP receiver
    python export_traces.py langfuse URL        # what Langfuse's client sends, to a server at URL
    python export_traces.py langsmith FILE      # runs as LangSmith's client lists them, one a line, in a file

The model is a scripted server on loopback. It prints, as JSON, the number of spans it made.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CORPUS = [
    ("ferry", "Ferry of Lund", "The ferry of Lund was built in 1907 by the yard of Ada Berg.", 1),
    ("berg", "Ada Berg", "Ada Berg was a shipbuilder. She was born in Vik.", 2),
    ("vik", "Vik", "Vik is a harbour town of 4,200 people.", 1),
    ("bread", "Bread", "Bread is made of flour and water.", 7),
]
QUESTIONS = ["In which town was the builder of the ferry of Lund born?", "How many people live in Ada Berg's town of birth?"]
SCRIPTS = {
    QUESTIONS[0]: [
        ("I need the builder first.", "Who built the ferry of Lund?"),
        ("Ada Berg built it. Where was she born?", "Where was Ada Berg born?"),
        "She was born in Vik.",
    ],
    QUESTIONS[1]: [("", "Ada Berg town of birth"), ("It is Vik.", "How many people live in Vik?"), "4,200 people live in Vik."],
}


def reply(body):
    messages = body["messages"]
    question = next(one["content"] for one in messages if one["role"] == "user")
    turn = sum(one["role"] == "assistant" for one in messages)
    said = SCRIPTS[question][turn]
    message = {"role": "assistant", "content": said if isinstance(said, str) else said[0] or None}
    if not isinstance(said, str):
        call = {"name": "search", "arguments": json.dumps({"query": said[1]})}
        message["tool_calls"] = [{"id": f"call_{turn}", "type": "function", "function": call}]
    return {
        "id": f"chatcmpl-{turn}",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop" if isinstance(said, str) else "tool_calls"}],
        "usage": {"prompt_tokens": 100 + 50 * turn, "completion_tokens": 20, "total_tokens": 120 + 50 * turn},
    }


class Server(BaseHTTPRequestHandler):
    """The model, and as much of LangSmith's API as its client asks for: what was sent is what is listed."""

    runs = {}

    def answer(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path.endswith("/info"):
            limits = {"size_limit": 100, "size_limit_bytes": 20_000_000, "use_multipart_endpoint": False}
            limits |= {"scale_up_qsize_trigger": 1000, "scale_up_nthreads_limit": 4, "scale_down_nempty_limit": 4}
            return self.answer({"version": "0.10.0", "batch_ingest_config": limits, "instance_flags": {}})
        session = {"id": "11111111-1111-4111-8111-111111111111", "name": "lund", "start_time": "2026-11-01T00:00:00Z"}
        self.answer([{**session, "tenant_id": session["id"], "reference_dataset_id": None}])

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        if self.path.endswith("/chat/completions"):
            return self.answer(reply(body))
        if self.path.endswith("/runs/batch"):
            for run in (body.get("post") or []) + (body.get("patch") or []):
                before = self.runs.setdefault(run["id"], {})
                before.update({key: value for key, value in run.items() if value is not None})
            return self.answer({})
        self.answer({"runs": list(self.runs.values()), "cursors": {}})

    def log_message(self, *_):
        pass


def search(query):
    words = set(query.lower().replace("?", "").split())
    score = lambda text: len(words & set(text.lower().replace(".", "").split()))
    ranked = sorted(CORPUS, key=lambda one: -score(f"{one[1]} {one[2]}"))[:2]
    return [
        {"id": id, "title": title, "text": text, "page": page, "score": score(f"{title} {text}") / len(words)}
        for id, title, text, page in ranked
    ]


TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "search",
            "description": "Searches the notes.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    }
]


def loop(question, ask, call):
    """The agent: asks the model until it calls nothing."""
    messages = [{"role": "system", "content": "Search, then answer."}, {"role": "user", "content": question}]
    while True:
        message = ask(messages)
        if not message.tool_calls:
            return message.content
        calls = [
            {"id": one.id, "type": "function", "function": {"name": one.function.name, "arguments": one.function.arguments}}
            for one in message.tool_calls
        ]
        messages.append({"role": "assistant", "content": message.content, "tool_calls": calls})
        for one in message.tool_calls:
            found = call(one.id, json.loads(one.function.arguments)["query"])
            messages.append({"role": "tool", "tool_call_id": one.id, "content": json.dumps(found)})


def otlp(url):
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    class Count(SpanProcessor):
        ended = 0

        def on_end(self, span):
            self.ended += 1

    provider, count = TracerProvider(), Count()
    provider.add_span_processor(count)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url, compression=Compression.Gzip)))
    return provider, count


def openinference(client, url):
    from openinference.instrumentation.openai import OpenAIInstrumentor
    from openinference.semconv.trace import DocumentAttributes, SpanAttributes as A

    provider, count = otlp(url)
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    tracer = provider.get_tracer("lund")

    def ask(messages):
        return client.chat.completions.create(model="scripted", messages=messages, tools=TOOLS).choices[0].message

    def call(id, query):
        with tracer.start_as_current_span("search") as span:
            span.set_attributes({A.OPENINFERENCE_SPAN_KIND: "TOOL", A.TOOL_NAME: "search", "tool_call.id": id})
            span.set_attribute(A.INPUT_VALUE, json.dumps({"query": query}))
            with tracer.start_as_current_span("embed") as inner:
                inner.set_attribute(A.OPENINFERENCE_SPAN_KIND, "EMBEDDING")
            with tracer.start_as_current_span("notes") as inner:
                inner.set_attributes({A.OPENINFERENCE_SPAN_KIND: "RETRIEVER", A.INPUT_VALUE: query})
                found = search(query)
                for at, one in enumerate(found):
                    prefix = f"{A.RETRIEVAL_DOCUMENTS}.{at}"
                    inner.set_attribute(f"{prefix}.{DocumentAttributes.DOCUMENT_ID}", one["id"])
                    inner.set_attribute(f"{prefix}.{DocumentAttributes.DOCUMENT_CONTENT}", one["text"])
                    inner.set_attribute(f"{prefix}.{DocumentAttributes.DOCUMENT_SCORE}", one["score"])
                    metadata = json.dumps({"title": one["title"], "source": "notes.pdf", "page": one["page"]})
                    inner.set_attribute(f"{prefix}.{DocumentAttributes.DOCUMENT_METADATA}", metadata)
            return found

    for question in QUESTIONS:
        with tracer.start_as_current_span("notes-agent") as span:
            span.set_attributes({A.OPENINFERENCE_SPAN_KIND: "AGENT", A.INPUT_VALUE: question, A.SESSION_ID: "s1"})
            span.set_attribute(A.OUTPUT_VALUE, loop(question, ask, call))
    # a request that asked nobody anything: a trace of its own that cannot become an attempt
    with tracer.start_as_current_span("GET /health"):
        pass
    provider.force_flush()
    return count.ended


def genai(client, url):
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as G

    provider, count = otlp(url)
    tracer = provider.get_tracer("lund")
    parts = lambda one: [{"type": "text", "content": one["content"]}] if one.get("content") else []

    def part(one):
        if one["role"] == "tool":
            response = {"type": "tool_call_response", "id": one["tool_call_id"], "response": json.loads(one["content"])}
            return {"role": "tool", "parts": [response]}
        calls = [
            {"type": "tool_call", "id": c["id"], "name": c["function"]["name"], "arguments": json.loads(c["function"]["arguments"])}
            for c in one.get("tool_calls", [])
        ]
        return {"role": one["role"], "parts": parts(one) + calls}

    def ask(messages):
        with tracer.start_as_current_span("chat scripted") as span:
            said = client.chat.completions.create(model="scripted", messages=messages, tools=TOOLS)
            message = said.choices[0].message
            kept = {"role": "assistant", "content": message.content}
            kept["tool_calls"] = [one.model_dump() for one in message.tool_calls or []]
            span.set_attributes(
                {
                    G.GEN_AI_OPERATION_NAME: "chat",
                    G.GEN_AI_PROVIDER_NAME: "openai",
                    G.GEN_AI_REQUEST_MODEL: "scripted",
                    G.GEN_AI_RESPONSE_MODEL: said.model,
                    G.GEN_AI_INPUT_MESSAGES: json.dumps([part(one) for one in messages]),
                    G.GEN_AI_OUTPUT_MESSAGES: json.dumps([{**part(kept), "finish_reason": said.choices[0].finish_reason}]),
                    G.GEN_AI_USAGE_INPUT_TOKENS: said.usage.prompt_tokens,
                    G.GEN_AI_USAGE_OUTPUT_TOKENS: said.usage.completion_tokens,
                }
            )
            return message

    def call(id, query):
        with tracer.start_as_current_span("execute_tool search") as span:
            span.set_attributes({G.GEN_AI_OPERATION_NAME: "execute_tool", G.GEN_AI_TOOL_NAME: "search"})
            span.set_attributes({G.GEN_AI_TOOL_CALL_ID: id, G.GEN_AI_TOOL_CALL_ARGUMENTS: json.dumps({"query": query})})
            with tracer.start_as_current_span("retrieval notes") as inner:
                found = search(query)
                inner.set_attributes({G.GEN_AI_OPERATION_NAME: "retrieval", G.GEN_AI_RETRIEVAL_QUERY_TEXT: query})
                documents = [{"id": one["id"], "score": one["score"], "content": one["text"]} for one in found]
                inner.set_attribute(G.GEN_AI_RETRIEVAL_DOCUMENTS, json.dumps(documents))
            span.set_attribute(G.GEN_AI_TOOL_CALL_RESULT, json.dumps(found))
            return found

    for question in QUESTIONS:
        with tracer.start_as_current_span("invoke_agent notes-agent") as span:
            span.set_attributes({G.GEN_AI_OPERATION_NAME: "invoke_agent", G.GEN_AI_AGENT_NAME: "notes-agent"})
            answer = loop(question, ask, call)
            span.set_attribute(G.GEN_AI_INPUT_MESSAGES, json.dumps([{"role": "user", "parts": [{"type": "text", "content": question}]}]))
            said = {"role": "assistant", "parts": [{"type": "text", "content": answer}], "finish_reason": "stop"}
            span.set_attribute(G.GEN_AI_OUTPUT_MESSAGES, json.dumps([said]))
    # one that failed
    try:
        # a stack trace names the files of the machine
        with tracer.start_as_current_span("invoke_agent notes-agent", record_exception=False) as span:
            span.add_event("exception", {"exception.type": "RuntimeError", "exception.message": "the model's server is gone"})
            span.set_attributes({G.GEN_AI_OPERATION_NAME: "invoke_agent", G.GEN_AI_AGENT_NAME: "notes-agent"})
            asked = [{"role": "user", "parts": [{"type": "text", "content": "What is in the cellar?"}]}]
            span.set_attribute(G.GEN_AI_INPUT_MESSAGES, json.dumps(asked))
            raise RuntimeError("the model's server is gone")
    except RuntimeError:
        pass
    provider.force_flush()
    return count.ended


def langfuse(client, url):
    from langfuse import Langfuse

    fuse = Langfuse(public_key="pk-lf-1", secret_key="sk-lf-1", base_url=url)
    made = 0

    def ask(messages):
        nonlocal made
        made += 1
        with fuse.start_as_current_observation(as_type="generation", name="chat", model="scripted", input=messages) as span:
            said = client.chat.completions.create(model="scripted", messages=messages, tools=TOOLS)
            message = said.choices[0].message
            usage = {"input": said.usage.prompt_tokens, "output": said.usage.completion_tokens}
            span.update(output=message.model_dump(exclude_none=True), usage_details=usage)
            return message

    def call(id, query):
        nonlocal made
        made += 1
        with fuse.start_as_current_observation(as_type="retriever", name="search", input={"query": query}) as span:
            found = search(query)
            span.update(output=found)
            return found

    for question in QUESTIONS:
        made += 1
        with fuse.start_as_current_observation(as_type="agent", name="notes-agent", input={"question": question}) as span:
            span.update(output={"answer": loop(question, ask, call)})
    fuse.flush()
    return made


def langsmith(client, file):
    from langsmith import Client, traceable
    from langsmith.run_helpers import tracing_context

    smith = Client(api_url=os.environ["LUND_URL"], api_key="lsv2_lund", auto_batch_tracing=True)

    @traceable(run_type="llm", name="chat", client=smith, metadata={"ls_model_name": "scripted-1"})
    def chat(messages):
        said = client.chat.completions.create(model="scripted", messages=messages, tools=TOOLS)
        usage = {"input_tokens": said.usage.prompt_tokens, "output_tokens": said.usage.completion_tokens}
        return {"messages": [said.choices[0].message.model_dump(exclude_none=True)], "usage_metadata": {**usage, "total_tokens": 0}}

    @traceable(run_type="retriever", name="search", client=smith)
    def retrieve(query):
        documents = search(query)
        kept = ("id", "title", "page")
        return [{"page_content": d["text"], "type": "Document", "metadata": {key: d[key] for key in kept}} for d in documents]

    class Message:
        def __init__(self, said):
            self.content, self.tool_calls = said.get("content"), [Call(one) for one in said.get("tool_calls", [])]

    class Call:
        def __init__(self, one):
            self.id, self.function = one["id"], type("F", (), one["function"])

    @traceable(run_type="chain", name="notes-agent", client=smith)
    def agent(question):
        answer = loop(question, lambda messages: Message(chat(messages)["messages"][0]), lambda id, query: retrieve(query))
        return {"answer": answer}

    with tracing_context(enabled=True, client=smith, project_name="lund"):
        for question in QUESTIONS:
            agent(question)
    smith.flush()
    runs = list(smith.list_runs(project_name="lund"))
    with open(file, "w", encoding="utf-8") as out:
        for run in runs:
            out.write(run.model_dump_json(exclude={"attachments"}, exclude_none=True) + "\n")
    return len(runs)


if __name__ == "__main__":
    from openai import OpenAI

    which, where = sys.argv[1:3]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["LUND_URL"] = f"http://127.0.0.1:{server.server_port}"
    model = OpenAI(base_url=f"{os.environ['LUND_URL']}/v1", api_key="none")
    ways = {"openinference": openinference, "genai": genai, "langfuse": langfuse, "langsmith": langsmith}
    print(json.dumps({"spans": ways[which](model, where)}), flush=True)
    server.shutdown()
    os._exit(0)
