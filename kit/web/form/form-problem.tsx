import { Alert } from 'antd'
import { useEffect, useRef } from 'react'

/** Error above a form that belongs to no field. Scrolls into view, since the save button may be far below. */
export function FormProblemAlert({ text }: { text: string }) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) note.current?.scrollIntoView({ block: 'center' })
  }, [text])
  if (!text) return null
  return (
    <div ref={note}>
      <Alert className="kit-note" type="error" showIcon title={text} />
    </div>
  )
}
