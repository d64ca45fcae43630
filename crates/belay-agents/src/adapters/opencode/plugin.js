// Written by `belay install opencode`; `belay uninstall opencode` removes it.
// Asks belay before every tool runs. Whatever is not clearly allowed is refused.
import { spawn } from "node:child_process"

const BELAY = "BELAY_PATH"
const STRICT = BELAY_STRICT
const ANCHOR = BELAY_ANCHOR
const DEADLINE_MS = 30000

function ask(call) {
  return new Promise((resolve) => {
    const refuse = (reason) => resolve({ verdict: STRICT ? "deny" : "allow", reason: "belay: refused: " + reason })
    let child
    try {
      child = spawn(BELAY, ["hook", "opencode", ...ANCHOR], {
        stdio: ["pipe", "pipe", "ignore"],
        signal: AbortSignal.timeout(DEADLINE_MS),
        killSignal: "SIGKILL",
      })
    } catch (error) {
      return refuse(String(error))
    }
    const parts = []
    child.on("error", (error) => refuse(String(error)))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => parts.push(part))
    child.on("close", () => {
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString("utf8")))
      } catch {
        refuse("belay gave no answer")
      }
    })
    child.stdin.end(JSON.stringify(call))
  })
}

export const Belay = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await ask({
      event: "tool.execute.before",
      tool: input.tool,
      args: output.args ?? {},
      directory,
      worktree,
      sessionID: input.sessionID,
      callID: input.callID,
    })
    if (answer?.verdict !== "allow") {
      throw new Error(answer?.reason ?? "belay: refused")
    }
  },
})
