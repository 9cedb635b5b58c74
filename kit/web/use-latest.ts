import { useEffect, useRef, type RefObject } from 'react'

/** What was rendered last, for work that begins later: a function that reads it there need not change with it. */
export function useLatestRef<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
