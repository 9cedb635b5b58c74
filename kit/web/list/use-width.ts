import { useLayoutEffect, useState, type RefObject } from 'react'

/** Width of an element in pixels while it is on screen; undefined until it was measured. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const measure = () => {
      // A page in the background has no width.
      if (element.current?.clientWidth) setWidth(element.current.clientWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
