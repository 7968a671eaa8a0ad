/** Traces by OpenTelemetry. Imported only where an endpoint is configured: it takes time and memory to load. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracedAnswer, TracedRequest, Tracing } from './tracing.ts'

/** Milliseconds that one export may take; a stop waits for the last one. */
const EXPORT_TIMEOUT_MS = 2_000

type Options = {
  /** Address of a collector, without the path `/v1/traces` of OTLP over HTTP. */
  endpoint: string
  /** Share of requests whose spans are kept, 0 to 1. */
  ratio: number
  onFailure: (error: unknown) => void
}

export function startTracing({ endpoint, ratio, onFailure }: Options): Tracing {
  setGlobalErrorHandler(onFailure)
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'claim-financing-gateway' }),
    sampler: sampleShare(ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('gateway')
  const running = new AsyncLocalStorage<{ context: Context; requestId: string }>()

  const request = async (of: TracedRequest, answer: () => Promise<void>, describe: () => TracedAnswer) => {
    const { method, requestId } = of
    const attributes = { 'http.request.method': method, 'request.id': requestId }
    const caller = callerOf(of)
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller)
    const context = trace.setSpan(caller, span)
    try {
      await running.run({ context, requestId }, answer)
    } finally {
      endRequest(span, describe())
    }
  }
  const part: Tracing['part'] = (name, attributes, run) => {
    const within = running.getStore()
    if (!within) return run()
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, within.context)
    const result = run()
    if (result instanceof Promise) result.then(() => span.end(), fail(span))
    else span.end()
    return result
  }
  // A stop must not fail with its collector.
  const close = () => provider.shutdown().catch(onFailure)
  return { request, part, requestId: () => running.getStore()?.requestId, close }
}

/**
 * Keeps a share of the requests, with all of their parts. A caller without trust chooses id and flag of its trace, so
 * neither can make a request be kept: the flag of a caller can only drop it.
 */
function sampleShare(ratio: number): Sampler {
  const share = new TraceIdRatioBasedSampler(ratio)
  const ids = new RandomIdGenerator()
  const drawn: Sampler = {
    shouldSample: (context) => share.shouldSample(context, ids.generateTraceId()),
    toString: () => share.toString(),
  }
  return new ParentBasedSampler({ root: drawn, remoteParentSampled: drawn })
}

const propagator = new W3CTraceContextPropagator()

function callerOf({ traceparent }: TracedRequest): Context {
  return traceparent === undefined
    ? ROOT_CONTEXT
    : propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
}

function endRequest(span: Span, { route, operation, status }: TracedAnswer): void {
  span.updateName(route)
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
  if (operation !== undefined) span.setAttribute('graphql.operation.name', operation)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** The message of an error is not recorded: it can hold values. */
const fail = (span: Span) => (error: unknown) => {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
