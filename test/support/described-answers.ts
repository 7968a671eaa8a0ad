/** Every JSON answer of the REST API that a test receives is held against the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { createApp } from '../../api/app.ts'
import { describeApi } from '../../api/openapi/openapi.ts'
import { isObject } from './hostile.ts'

type App = ReturnType<typeof createApp>
type Validate = ReturnType<Ajv2020['compile']>
type Described = { path: RegExp; pointer: string }

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
let described: readonly Described[] | undefined

/** An answer that is not as described fails the request. */
export function checkAnswers(app: App): App {
  const { fetch } = app
  app.fetch = async (request, ...rest) => {
    const response = await fetch(request, ...rest)
    const validate = validatorOf(app, request, response)
    if (validate && !validate(await response.clone().json())) {
      const { pathname } = new URL(request.url)
      throw new Error(`the answer of ${pathname} is not as described: ${ajv.errorsText(validate.errors)}`)
    }
    return response
  }
  return app
}

/**
 * Undefined for an answer without a body, and for what the document does not describe: GraphQL, files, a path that no
 * route has.
 */
function validatorOf(app: App, { method, url }: Request, response: Response): Validate | undefined {
  if (method === 'HEAD') return undefined
  const type = response.headers.get('Content-Type') ?? ''
  described ??= describe(app)
  if (type === 'application/problem+json') return ajv.getSchema('openapi#/components/schemas/Problem')
  if (type !== 'application/json' || response.status !== 200) return undefined
  const { pathname } = new URL(url)
  const found = described.find(({ path }) => path.test(pathname))
  if (!found) return undefined
  const operation = `${found.pointer}/${method.toLowerCase()}`
  return ajv.getSchema(`${operation}/responses/200/content/application~1json/schema`)
}

function describe(app: App): readonly Described[] {
  const document: unknown = JSON.parse(JSON.stringify(describeApi(app)))
  if (!isObject(document) || !isObject(document.paths)) throw new Error('the document has no paths')
  ajv.addSchema(document, 'openapi')
  // A path without parameters is found before one that has some.
  const paths = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length)
  return paths.map((path) => ({
    path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    pointer: `openapi#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}`,
  }))
}
