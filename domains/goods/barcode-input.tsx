import { Suspense, useState } from 'react'
import { LineInput } from '#kit/fields/plain.web.tsx'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { CameraButton, Scanner } from './camera.tsx'
import './camera.css'

/** A barcode, typed or held before the camera, which goes away with what it has read. */
export function BarcodeInput(props: InputProps) {
  const [isOn, setOn] = useState(false)
  const read = (code: string) => {
    props.onChange(code)
    setOn(false)
  }
  return (
    <div className="goods-barcode">
      <div>
        <LineInput {...props} />
        {!props.disabled && <CameraButton isOn={isOn} onChange={setOn} />}
      </div>
      <Suspense>{isOn && <Scanner onCode={read} />}</Suspense>
    </div>
  )
}
