import { useSyncExternalStore } from 'react'
import { useLanguage } from '../base/language.tsx'
import { formatRelativeTime } from './when-words.ts'

const listeners = new Set<() => void>()
let minute = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  // The clock stops while no component uses it, so it is set anew.
  if (!listeners.size) minute = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    minute = Date.now()
    for (const each of listeners) each()
  }, 30_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Returns the current time, updated every half minute by one clock for the whole screen. */
export const useNow = () => useSyncExternalStore(subscribe, () => minute)

/** Shows a time as "3 分钟前" with the full time on hover; with `full` the full time, followed by the relative one. */
export function RelativeTime({ at, full }: { at: string; full?: boolean }) {
  const language = useLanguage()
  const now = useNow()
  const relative = formatRelativeTime(at, language, now)
  return (
    <time className="kit-when" dateTime={`${at.replace(' ', 'T')}+08:00`} data-tip={full ? undefined : at}>
      {full ? at : relative}
      {full && !at.includes(relative) && <span className="kit-quiet"> {relative}</span>}
    </time>
  )
}
