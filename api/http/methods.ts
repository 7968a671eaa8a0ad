import type { Hono } from 'hono'
import { METHOD_NAME_ALL } from 'hono/router'
import type { AppEnv } from './env.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Lists the methods that some route of the app answers at this path, for `Allow`; none where the path is unknown. */
export function methodsOf(app: Hono<AppEnv>, path: string): string[] {
  const answered = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== METHOD_NAME_ALL),
  )
  return answered.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
