/** The frame of a page: its title, the block that it shows, and what stands in its place until there is something. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Failure } from './failure.tsx'
import { When } from './values.tsx'

type Block = { blockNumber: number; timestamp: string }

/** Every document of a page selects it, so the page names the block of its own answer. */
export type WithBlock = { _meta: { finalizedThrough: Block } }

export function Page({
  title,
  children,
  actions,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Claim financing`
  }, [title])
  return (
    <main tabIndex={-1}>
      <div className="heading">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {actions}
      </div>
      {children}
    </main>
  )
}

/** The answer of a read, or what stands in its place: a skeleton, or the error. */
export function Loaded<Data extends WithBlock>({
  read,
  children,
}: {
  read: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  const { data, error } = read
  if (data)
    return (
      <>
        {children(data)}
        <Freshness block={data._meta.finalizedThrough} isOld={error !== null} />
      </>
    )
  if (error) return <Failure error={error} retry={() => read.refetch()} />
  return <Skeleton />
}

/** Blocks of the height of what follows, so that nothing moves when it arrives. */
function Skeleton() {
  return (
    <div className="skeleton" aria-busy="true">
      <span className="hidden">Loading</span>
      <div className="figures" />
      <div className="block" />
      <div className="block" />
    </div>
  )
}

/** Names the finalized block of the page and its age. */
function Freshness({ block, isOld }: { block: Block; isOld: boolean }) {
  const now = useNow()
  const seconds = Math.max(0, Math.round((now - Date.parse(block.timestamp)) / 1000))
  return (
    <p className="freshness">
      All figures are of finalized block {block.blockNumber.toLocaleString('en')} of{' '}
      <When at={block.timestamp} />, {ageOf(seconds)} ago.
      {isOld ? ' The gateway does not answer at present; this page is tried again.' : ''}
    </p>
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE

function ageOf(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} s`
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)} min`
  return `${Math.floor(seconds / HOUR)} h`
}

const TICK_MS = 1000

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Named figures side by side. */
export function Figures({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="figures">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
