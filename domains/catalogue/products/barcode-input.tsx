import { Suspense, useEffect, useRef, useState } from 'react'
import { TextLineInput } from '#kit/fields/plain.web.tsx'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http.ts'
import { isBarcode } from './barcode.ts'
import { barcodes } from './barcodes.resource.ts'
import { CameraButton, LazyBarcodeScanner } from './camera.tsx'
import './camera.css'

/** As it is meant: without blanks, and digits that were written wide are digits. */
const plain = (text: unknown) => String(text).normalize('NFKC').replace(/\s/g, '')

/** A barcode, typed or held before the camera, which goes away with what it has read. */
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
        // A scanner that types ends with Enter, which is not to send a form that has only begun.
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

/** The barcode of goods: what the library knows of it fills in what is still empty of new ones. */
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
    // By now another code may stand there.
    if (value !== code) return
    const found = Object.entries({ ...known, salePrice: suggestPrice })
    fill?.(Object.fromEntries(found.filter(([key, text]) => key !== 'upc' && key in values && text && !values[key])))
  }
  const onChange = (code: unknown) => {
    props.onChange(code)
    // Nobody has to wait for it, nor be told that it could not be asked.
    if (!props.values.id && isBarcode(String(code))) ask(String(code)).catch(() => {})
  }
  return <BarcodeInput {...props} onChange={onChange} />
}
