/** The error playbook: a page with all codes, and one for each, which the `type` of a problem links to. */
import { html } from 'hono/html'
import { reverts } from '../error-catalogue/reverts.ts'
import { catalogue, ERRORS_PATH, type ErrorCode, errorCodes, problemType } from '../errors.ts'
import { type Html, htmlPage } from './html-page.ts'

export function playbook(): Promise<string> {
  const rows = errorCodes.map(
    (code) => html`
      <tr><td><a href="${problemType(code)}"><code>${withBreaks(code)}</code></a></td><td>${catalogue[code].status}</td>
        <td>${catalogue[code].title}</td></tr>`,
  )
  return htmlPage(
    'Errors',
    html`
    <p><a href="/">Claim financing gateway</a></p>
    <h1>Errors</h1>
    <p>REST has them as problem details (RFC 9457), GraphQL as <code>extensions.code</code>. Decide by the code: its meaning never changes.</p>
    <table>
      <tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${rows}
    </table>
    <h2>Errors of the contracts</h2>
    <p>A transaction can fail for a condition that changed after its preparation. For conditions with a code, the gateway also refuses to prepare the transaction.</p>
    <table>
      <tr><th>Error</th><th>Cause and what to do</th><th>Code</th></tr>${Object.entries(reverts).map(revertRow)}
    </table>
`,
  )
}

function revertRow([name, { code, cause, fix }]: [name: string, help: (typeof reverts)[string]]): Html {
  return html`
      <tr id="${name}"><td><code>${withBreaks(name)}</code></td><td>${withCode(`${cause} ${fix}`)}</td>
        <td>${code && html`<a href="${problemType(code)}"><code>${withBreaks(code)}</code></a>`}</td></tr>`
}

export function entryPage(code: ErrorCode): Promise<string> {
  const { status, title, cause, fix, isRetryable } = catalogue[code]
  return htmlPage(
    code,
    html`
    <p><a href="/">Claim financing gateway</a> / <a href="${ERRORS_PATH}">Errors</a></p>
    <h1>${title}</h1>
    <table>
      <tr><th scope="row">Code</th><td><code>${code}</code></td></tr>
      <tr><th scope="row">Status</th><td>${status}</td></tr>
      <tr><th scope="row">Cause</th><td>${withCode(cause)}</td></tr>
      <tr><th scope="row">What to do</th><td>${withCode(fix)}</td></tr>
      <tr><th scope="row">Retry</th><td>${describeRetry(isRetryable)}</td></tr>
    </table>
`,
  )
}

function describeRetry(isRetryable: boolean): Html {
  return isRetryable
    ? html`Yes. Send the same request later; if the answer has <code>Retry-After</code>, after that number of seconds.`
    : html`No. The same request fails again: change it first.`
}

/** A narrow column breaks a name after an underscore or before a capital, not within a word. */
function withBreaks(name: string): Html[] {
  return name
    .split(/(?<=_)|(?<=[a-z])(?=[A-Z])/)
    .map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))
}

/** Text between backticks becomes code. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}
