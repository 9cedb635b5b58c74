import { useEffect, useState, type RefObject } from 'react'

/** Whether somebody can see an element: it is in the window, and the window is in front. */
export function useIsElementVisible(ref: RefObject<HTMLElement | null>): boolean {
  const [isInside, setInside] = useState(false)
  const [isFront, setFront] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const { current } = ref
    if (!current) return
    const watch = new IntersectionObserver(([entry]) => setInside(entry?.isIntersecting === true), { threshold: 0.05 })
    watch.observe(current)
    return () => watch.disconnect()
  }, [ref])
  useEffect(() => {
    const look = () => setFront(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isInside && isFront
}
