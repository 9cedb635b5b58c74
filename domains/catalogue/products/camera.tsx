import { Button } from 'antd'
import { lazy } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'

const words = {
  camera: { zh: '相机扫码', en: 'Scan with the camera' },
  noCamera: { zh: '收起相机', en: 'Close camera' },
}

/** The barcode camera, loaded when somebody first turns it on. */
export const LazyBarcodeScanner = lazy(() => import('./scanner.panel.tsx'))

type Props = { isOn: boolean; onChange: (isOn: boolean) => void; size?: 'large' }

/** Button that turns the camera on and off; nothing in browsers without camera access. */
export function CameraButton({ isOn, onChange, size }: Props) {
  const t = useLocalize()
  if (!globalThis.navigator?.mediaDevices) return null
  const label = t(isOn ? words.noCamera : words.camera)
  return (
    <Button
      size={size}
      icon={<Icon name="camera" />}
      aria-label={label}
      aria-pressed={isOn}
      data-tip={label}
      onClick={() => onChange(!isOn)}
    />
  )
}
