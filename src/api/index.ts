/** Ponder insists on an app to serve. Ours is empty: the gateway reads the projection from its own process. */
import { Hono } from 'hono'

export default new Hono()
