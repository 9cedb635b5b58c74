import { useEffect, useRef, useState } from 'react'
import { useSay } from '#kit/web/language.tsx'

type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

const words = {
  aim: { zh: '把条码放进取景框', en: 'Hold the barcode into the frame' },
  none: { zh: '打不开相机，请在浏览器里允许使用相机', en: 'The camera cannot be opened. Allow this page to use it.' },
}

const detectorClass = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Whether this browser reads barcodes with its camera. */
export const canScan = () => !!detectorClass() && !!globalThis.navigator?.mediaDevices

const EVERY = 200
const SAME_AGAIN = 1800

/** The camera, reading barcodes; the same one again only after a moment. */
export function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const say = useSay()
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onCode)
  const [isDenied, setDenied] = useState(false)
  useEffect(() => {
    latest.current = onCode
  })
  useEffect(() => {
    let stream: MediaStream | undefined
    let isOver = false
    let seen = { code: '', at: 0 }
    const detector = new (detectorClass()!)({ formats: ['ean_13', 'ean_8', 'upc_a', 'code_128'] })
    const look = async () => {
      const [found] = video.current && video.current.readyState >= 2 ? await detector.detect(video.current).catch(() => []) : []
      if (isOver || !found || (found.rawValue === seen.code && Date.now() - seen.at < SAME_AGAIN)) return
      seen = { code: found.rawValue, at: Date.now() }
      navigator.vibrate?.(40)
      latest.current(found.rawValue)
    }
    const timer = setInterval(() => void look(), EVERY)
    void navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      (opened) => {
        stream = opened
        if (isOver || !video.current) return opened.getTracks().forEach((track) => track.stop())
        video.current.srcObject = opened
        void video.current.play().catch(() => {})
      },
      () => setDenied(true),
    )
    return () => {
      isOver = true
      clearInterval(timer)
      stream?.getTracks().forEach((track) => track.stop())
    }
  }, [])
  if (isDenied) return <p className="goods-bad" role="alert">{say(words.none)}</p>
  return <div className="count-camera"><video ref={video} muted playsInline aria-label={say(words.aim)} /><span>{say(words.aim)}</span></div>
}
