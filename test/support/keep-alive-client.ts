/** A client that sends one request after the other over one connection, as most clients of HTTP do. */
import { Agent, get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * How a client ended: the server announced that it closes the connection, or the code of the error that a request got
 * instead of an answer.
 */
export type ClientEnd = 'announced' | (string & {})

export type KeepAliveClient = {
  /** Resolves after the first answer. */
  answered: Promise<void>
  ended: Promise<ClientEnd>
}

/** Requests the URL until an answer announces that the connection is closed, or none comes. */
export function startKeepAliveClient(url: string): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let onAnswer = () => {}
  const answered = new Promise<void>((resolve) => {
    onAnswer = resolve
  })
  const run = async (): Promise<ClientEnd> => {
    for (;;) {
      const answer = await request(url, agent)
      await buffer(answer)
      onAnswer()
      if (answer.headers.connection === 'close') return 'announced'
    }
  }
  const ended = run()
    .catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
    .finally(() => agent.destroy())
  return { answered, ended }
}

function request(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject)
  })
}
