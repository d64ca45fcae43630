// A real, very small model behind the chat completions protocol, on 127.0.0.1: for tests of the wire, not of judgement.
// `scripts/install-small-model` fetches what it needs. Usage: node scripts/small-model.mjs; the first line is the base URL.
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { pathToFileURL, fileURLToPath } from "node:url"
import path from "node:path"

const cache = path.join(path.dirname(fileURLToPath(import.meta.url)), "../.cache/small-model")
const require = createRequire(path.join(cache, "package.json"))
const { getLlama, LlamaChatSession } = await import(pathToFileURL(require.resolve("node-llama-cpp")))

// More threads than free cores starve each other.
const llama = await getLlama({ build: "never", gpu: false, maxThreads: 1, logLevel: "error" })
const model = await llama.loadModel({ modelPath: path.join(cache, "model.gguf") })

async function answer(request) {
  const tool = request.tools?.find((it) => it.function.name === request.tool_choice?.function?.name)
  const schema = tool?.function.parameters ?? request.response_format?.json_schema?.schema
  const context = await model.createContext({ contextSize: 4096, threads: 1 })
  try {
    const system = request.messages.filter((it) => it.role === "system").map((it) => it.content).join("\n")
    const user = request.messages.filter((it) => it.role !== "system").map((it) => it.content).join("\n")
    const session = new LlamaChatSession({ contextSequence: context.getSequence(), systemPrompt: system })
    const grammar = schema && (await llama.createGrammarForJsonSchema(limited(schema)))
    const text = await session.prompt(user, { grammar, temperature: 0, maxTokens: request.max_tokens ?? 256 })
    const usage = { prompt_tokens: model.tokenize(system + user).length, completion_tokens: model.tokenize(text).length }
    const message = tool
      ? { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: tool.function.name, arguments: text } }] }
      : { role: "assistant", content: text }
    return { id: "1", object: "chat.completion", created: 0, model: "small", choices: [{ index: 0, message, finish_reason: tool ? "tool_calls" : "stop" }], usage }
  } finally {
    await context.dispose()
  }
}

// Free text would run on for ever: a small model does not know when to end.
function limited(schema) {
  const properties = Object.entries(schema.properties).map(([name, it]) => [name, it.type === "string" ? { type: "string", minLength: 1, maxLength: 60 } : it])
  return { type: "object", properties: Object.fromEntries(properties) }
}

const server = createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  try {
    const told = JSON.stringify(await answer(JSON.parse(Buffer.concat(parts).toString("utf8"))))
    response.writeHead(200, { "content-type": "application/json" }).end(told)
  } catch (error) {
    response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: String(error) } }))
  }
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`))
