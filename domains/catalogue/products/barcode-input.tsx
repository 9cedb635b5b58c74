import { Suspense, useEffect, useRef, useState } from 'react'
import { TextLineInput } from '#kit/fields/plain.web.tsx'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { isBarcode } from './barcode.ts'
import { barcodes } from './barcodes.resource.ts'
import { CameraButton, LazyBarcodeScanner } from './camera.tsx'
import './camera.css'

/** Normalizes input: removes blanks and turns full-width digits into ASCII digits. */
const plain = (text: unknown) => String(text).normalize('NFKC').replace(/\s/g, '')

/** Input for a barcode with a camera button; the camera closes after a scan. */
export function BarcodeInput(props: InputProps) {
  const [isOn, setOn] = useState(false)
  const read = (code: string) => {
    props.onChange(code)
    setOn(false)
  }
  return (
    <div
      className="goods-barcode"
      onKeyDown={(event) => {
        // Scanners send Enter after the digits; it must not submit an unfinished form.
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        event.target.blur()
      }}
    >
      <div>
        <TextLineInput {...props} onChange={(text) => props.onChange(plain(text))} />
        {!props.disabled && <CameraButton isOn={isOn} onChange={setOn} />}
      </div>
      <Suspense>{isOn && <LazyBarcodeScanner onCode={read} />}</Suspense>
    </div>
  )
}

type BarcodeLibraryEntry = { [key in 'name' | 'spec' | 'brand' | 'unit' | 'picture' | 'suggestPrice']?: string }

/** Barcode input of a product form. For a new product it fills empty fields from the barcode library. */
export function GoodsBarcodeInput(props: InputProps) {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const ask = async (code: string) => {
    const { suggestPrice, ...known } = await apiGet<BarcodeLibraryEntry>(
      `${barcodes.path}/find`,
      { upc: code },
      { quiet: true },
    )
    const { values, value, fill } = latest.current
    // Meanwhile another barcode may have been entered.
    if (value !== code) return
    const found = Object.entries({ ...known, salePrice: suggestPrice })
    fill?.(Object.fromEntries(found.filter(([key, text]) => key !== 'upc' && key in values && text && !values[key])))
  }
  const onChange = (code: unknown) => {
    props.onChange(code)
    // Nobody waits for the lookup, so its errors are ignored.
    if (!props.values.id && isBarcode(String(code))) ask(String(code)).catch(() => {})
  }
  return <BarcodeInput {...props} onChange={onChange} />
}
