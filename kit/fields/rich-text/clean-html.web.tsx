import DOMPurify from 'dompurify'
import { useMemo } from 'react'

/** Formatted text that came from somewhere else, cleaned once more before it is shown. */
export default function SanitizedHtml({ html }: { html: string }) {
  const clean = useMemo(
    () => DOMPurify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input', 'button'], ADD_ATTR: ['target'] }),
    [html],
  )
  return <div className="kit-rich" dangerouslySetInnerHTML={{ __html: clean }} />
}
