import { useLayoutEffect, useState, type RefObject } from 'react'

/** Returns the width of an element in pixels; undefined until measured. Keeps the last width while it is hidden. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const measure = () => {
      // An element on a hidden page measures 0.
      if (element.current?.clientWidth) setWidth(element.current.clientWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
