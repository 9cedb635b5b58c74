import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { words } from './desk-words.ts'
import { RISK_THRESHOLDS } from './risk.ts'
import type { DeskCase } from './use-desk.ts'

export const riskTone = (risk: number) =>
  risk >= RISK_THRESHOLDS.high ? 'high' : risk >= RISK_THRESHOLDS.raised ? 'raised' : 'calm'

type Props = {
  cases: readonly DeskCase[]
  current: string
  userId: string
  isNarrowed: boolean
  onChoose: (id: string) => void
  /** Counter: when it grows, the chosen case gets the focus. */
  focusAsked: number
}

/** List of cases, the riskiest first; arrow keys choose another one. */
export function CaseQueue({ cases, current, userId, isNarrowed, onChoose, focusAsked }: Props) {
  const t = useLocalize()
  const list = useRef<HTMLOListElement>(null)
  useFocusKept(list, current, focusAsked)
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const at = cases.findIndex(({ id }) => id === current)
    const next = cases[Math.max(0, Math.min(cases.length - 1, at + by))]
    if (next) onChoose(next.id)
  }
  return (
    <section className="guard-queue" aria-label={t(words.queue)}>
      {!cases.length && (
        <EmptyStateNote
          icon="check-circle"
          title={t(isNarrowed ? words.emptyShop : words.empty)}
          hint={t(words.emptyHint)}
        />
      )}
      <ol ref={list} onKeyDown={move}>
        {cases.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              data-case={one.id}
              data-tone={riskTone(one.risk)}
              aria-current={one.id === current}
              tabIndex={one.id === current || (!current && one === cases[0]) ? 0 : -1}
              onClick={() => onChoose(one.id)}
            >
              <CaseLine one={one} userId={userId} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

function CaseLine({ one, userId }: { one: DeskCase; userId: string }) {
  const t = useLocalize()
  return (
    <>
      <span className="guard-risk" data-tip={t(words.risk, { score: one.risk })}>
        {one.risk}
      </span>
      <span className="guard-line">
        <strong>{one.kindName}</strong>
        {one.count > 1 && <small>{t(words.times, { count: one.count })}</small>}
        <RelativeTime at={one.cameTime} />
      </span>
      <span className="guard-line">
        <span className="guard-shop">{one.shopName}</span>
        {one.takerId && (
          <em data-mine={one.takerId === userId}>
            {one.takerId === userId ? t(words.mine) : t(words.with, { name: one.takerName })}
          </em>
        )}
      </span>
      {one.content && <span className="guard-content">{one.content}</span>}
    </>
  )
}

/** Moves the focus to the chosen case on request, and back to it when the focused row was moved or removed. */
function useFocusKept(list: { current: HTMLOListElement | null }, current: string, focusRequests: number) {
  const had = useRef(false)
  const button = () => list.current?.querySelector<HTMLElement>(`[data-case="${CSS.escape(current)}"]`)
  useEffect(() => {
    if (focusRequests) button()?.focus()
    // Deliberately only on request, for the case chosen at that time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [focusRequests, current])
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (had.current && isLost) button()?.focus()
    had.current = !!list.current?.contains(document.activeElement)
  })
  useEffect(() => {
    const element = list.current
    const note = () => {
      had.current = true
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [list])
}
