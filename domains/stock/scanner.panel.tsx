import { useEffect, useRef, useState } from 'react'
import { useSay } from '#kit/web/language.tsx'
import { readBarcode } from '#domains/goods/index.ts'

type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

const words = {
  aim: { zh: '把条码放进取景框', en: 'Hold the barcode into the frame' },
  none: { zh: '打不开相机，请在浏览器里允许使用相机', en: 'The camera cannot be opened. Allow this page to use it.' },
}

const detectorClass = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Whether there may be a camera to read barcodes with. */
export const canScan = () => !!globalThis.navigator?.mediaDevices

const EVERY = 200
const SAME_AGAIN = 1800
/** The part of the picture inside the frame that is drawn over it, and how many lines across it are looked at. */
const FRAME = { x: 0.08, y: 0.3, width: 0.84, height: 0.4 }
const LINES = 11
const PIXELS = 900

/**
 * The browser's own reader; most phones outside of Android have none, and there the lines of the picture are read here.
 */
function reader(): (video: HTMLVideoElement) => Promise<string | undefined> {
  const Native = detectorClass()
  if (Native) {
    const detector = new Native({ formats: ['ean_13', 'ean_8', 'upc_a', 'code_128'] })
    return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue
  }
  const context = Object.assign(document.createElement('canvas'), { width: PIXELS, height: LINES }).getContext('2d', {
    willReadFrequently: true,
  })!
  return async (video) => {
    const { videoWidth: width, videoHeight: height } = video
    context.drawImage(
      video,
      width * FRAME.x,
      height * FRAME.y,
      width * FRAME.width,
      height * FRAME.height,
      0,
      0,
      PIXELS,
      LINES,
    )
    const { data } = context.getImageData(0, 0, PIXELS, LINES)
    const votes = new Map<string, number>()
    for (let line = 0; line < LINES; line++) {
      const found = readBarcode(Array.from({ length: PIXELS }, (_, x) => brightness(data, (line * PIXELS + x) * 4)))
      if (found) votes.set(found, (votes.get(found) ?? 0) + 1)
    }
    // One line may be mistaken, two agree on what is there.
    return [...votes].find(([, count]) => count > 1)?.[0]
  }
}

const brightness = (data: Uint8ClampedArray, at: number) =>
  data[at]! * 0.3 + data[at + 1]! * 0.59 + data[at + 2]! * 0.11

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
    const read = reader()
    const look = async () => {
      const code = video.current && video.current.readyState >= 2 ? await read(video.current) : undefined
      if (isOver || !code) return
      const isAgain = code === seen.code && Date.now() - seen.at < SAME_AGAIN
      // Held before the camera it counts as one scan, however long.
      seen = { code, at: Date.now() }
      if (isAgain) return
      navigator.vibrate?.(40)
      latest.current(code)
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
  if (isDenied)
    return (
      <p className="goods-bad" role="alert">
        {say(words.none)}
      </p>
    )
  return (
    <div className="count-camera">
      <video ref={video} muted playsInline aria-label={say(words.aim)} />
      <span>{say(words.aim)}</span>
    </div>
  )
}
