import { Button } from 'antd'
import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { CameraButton, LazyBarcodeScanner } from '#domains/catalogue/products/ui.ts'
import './count.css'

const words = {
  scan: { zh: '扫码，或输入名称、条码尾号', en: 'Scan, or enter a name or the last barcode digits' },
  find: { zh: '查找', en: 'Search' },
}

type Props = {
  /** Called with a scanned barcode or with the typed text, trimmed. */
  onCode: (text: string) => void
  /** Ref to the input, for callers that move the focus back to it. */
  field?: RefObject<HTMLInputElement | null>
  /** Content below the input: the result of the last scan, switches. */
  children?: ReactNode
}

/** Input for products: scanner, keyboard or camera. Takes the focus, so that a scanner types into it. */
export function ScanBox({ onCode, field, children }: Props) {
  const t = useLocalize()
  const own = useRef<HTMLInputElement>(null)
  const box = field ?? own
  const [code, setCode] = useState('')
  const [hasCamera, setCamera] = useState(false)
  useEffect(() => box.current?.focus(), [box])
  const send = () => {
    const trimmed = code.trim()
    setCode('')
    if (trimmed) onCode(trimmed)
  }
  return (
    <section className="goods-card count-scan">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {/* A scanner that types like a keyboard ends with Enter. */}
        <label className="count-code">
          <span>{t(words.scan)}</span>
          <input
            ref={box}
            value={code}
            autoComplete="off"
            enterKeyHint="search"
            maxLength={50}
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        <Button htmlType="submit" size="large" icon={<Icon name="search" />} aria-label={t(words.find)} />
        <CameraButton size="large" isOn={hasCamera} onChange={setCamera} />
      </form>
      <Suspense>{hasCamera && <LazyBarcodeScanner onCode={onCode} />}</Suspense>
      {children}
    </section>
  )
}
