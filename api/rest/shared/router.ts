import { OpenAPIHono, type z } from '@hono/zod-openapi'
import { type FieldError, validationFailed } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { unknownField } from '../../http/refuse-query.ts'

/**
 * Creates a group of routes whose schemas are checked before its handlers run. A request that does not match is a
 * 400 that names every invalid field.
 */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationFailed(fieldErrors(result.error))
    },
  })
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownField(pathOf([...issue.path, key])))
      : [{ path: pathOf(issue.path), message: issue.message }],
  )
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}
