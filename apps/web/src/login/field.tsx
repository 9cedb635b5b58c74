import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode } from 'react'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  name: string
  label: string
  error?: string
  hint?: string
  /** Content inside the box to the right of the input, such as a button. */
  children?: ReactNode
}

/** Labelled input with its error below, for pages that load no component library. */
export function LabelledInput({ label, error, hint, children, ...input }: Props) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={`field${error ? ' field-bad' : ''}`}>
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <input {...input} id={id} aria-invalid={!!error} aria-describedby={note ? `${id}-note` : undefined} />
        {children}
      </div>
      {note && (
        <p id={`${id}-note`} className="field-note" role={error ? 'alert' : undefined}>
          {note}
        </p>
      )}
    </div>
  )
}
