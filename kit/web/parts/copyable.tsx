import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'

/** Copies a text to the clipboard. */
export async function copyToClipboard(text: string) {
  // Without TLS there is no clipboard API, and browsers may deny it; then the old command is used.
  const isWritten = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  if (isWritten) return
  const box = document.createElement('textarea')
  box.value = text
  document.body.append(box)
  box.select()
  document.execCommand('copy')
  box.remove()
}

/** Text that is copied when clicked, such as an id or an order number. */
export function CopyableText({ text, children }: { text: string; children?: React.ReactNode }) {
  const t = useLocalize()
  const copy = (event: React.MouseEvent) => {
    event.stopPropagation()
    void copyToClipboard(text).then(() => toast.success(t(words.copied)))
  }
  return (
    <button type="button" className="kit-copy" onClick={copy} data-tip={`${t(words.copy)} ${text}`}>
      <span>{children ?? text}</span>
      <Icon name="copy" />
    </button>
  )
}
