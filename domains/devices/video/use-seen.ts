import { useEffect, useState, type RefObject } from 'react'

/** Returns whether an element is visible: inside the window, and the page in front. */
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
