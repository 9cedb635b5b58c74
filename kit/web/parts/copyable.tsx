import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../language.tsx'
import { words } from '../page-words.ts'
import { toast } from './toast.ts'

/** Puts a text on the clipboard. */
export async function copyToClipboard(text: string) {
  // Plain http has no clipboard interface, and a browser may keep it from a page.
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

/** A text that is copied by a click: ids, order numbers, serial numbers. */
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
