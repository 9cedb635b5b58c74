import { useEffect, useRef, type RefObject } from 'react'

/** Returns a ref that holds the value of the last render, for callbacks that run later and need not change with it. */
export function useLatestRef<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
