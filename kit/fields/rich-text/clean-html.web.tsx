import DOMPurify from 'dompurify'
import { useMemo } from 'react'

/** Shows stored HTML, sanitized once more in the browser. */
export default function SanitizedHtml({ html }: { html: string }) {
  const clean = useMemo(
    () => DOMPurify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input', 'button'], ADD_ATTR: ['target'] }),
    [html],
  )
  return <div className="kit-rich" dangerouslySetInnerHTML={{ __html: clean }} />
}
