/** The load as a process of its own: 32 connections, each of which sends its next request when the last is answered. */
import autocannon from 'autocannon'

process.on('message', async (job) => process.send(await run(job)))
process.on('disconnect', () => process.exit())

async function run({ url, requests, connections, seconds, status }) {
  const times = []
  const failures = []
  let client = 0
  const setupClient = (connection) => {
    const own =
      requests.length < connections ? requests : requests.filter((_, i) => i % connections === client)
    const address = `10.0.0.${client + 1}`
    client += 1
    connection.setRequests(
      own.map((request) => ({ ...request, headers: { ...request.headers, 'x-forwarded-for': address } })),
    )
    connection.on('response', (answered, _bytes, milliseconds) => {
      times.push(milliseconds)
      if (answered !== status) failures.push(`status ${answered}`)
    })
    connection.on('body', (body) => {
      if (body.includes('"errors":[')) failures.push(String(body).slice(0, 500))
    })
  }
  const { duration, errors, timeouts } = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient,
  })
  if (errors + timeouts > 0) failures.push(`${errors} lost connections, ${timeouts} timeouts`)
  return {
    seconds: duration,
    requests: times.length,
    failures: failures.length,
    failure: failures[0],
    ...percentiles(times),
  }
}

function percentiles(times) {
  const sorted = Float64Array.from(times).sort()
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
