import { Alert } from 'antd'
import { useEffect, useRef } from 'react'

/** What no field of a form can say stands above them all, and comes into sight: who saved may be far below. */
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
