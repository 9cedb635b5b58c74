import { useEffect, useRef, useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { loadBarcodeReader } from './barcode-reader.ts'
import { barcodeFormats, toPrintedBarcode } from './barcode.ts'
import './camera.css'

type Seen = { rawValue: string; format: string }
type Detector = { detect: (source: HTMLVideoElement) => Promise<Seen[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

const words = {
  aim: { zh: '把条码放进取景框', en: 'Hold the barcode inside the frame' },
  none: {
    zh: '打不开相机，请在浏览器里允许使用相机',
    en: 'The camera could not be opened. Allow camera access in the browser.',
  },
  blind: {
    zh: '扫码组件没有加载成功，请收起相机再试',
    en: 'The barcode reader did not load. Close the camera and try again.',
  },
}

const detectorClass = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

const EVERY = 200
const SAME_AGAIN = 1800
/** The part of the camera picture inside the drawn frame, as fractions; only this is read. */
const FRAME = { x: 0.08, y: 0.3, width: 0.84, height: 0.4 }
/** Width in pixels to which the picture is scaled: enough for the finest bars, and read within milliseconds. */
const PIXELS = 900

type Reader = (video: HTMLVideoElement) => Promise<string | undefined>

/** Opens the browser's barcode reader if it knows all formats, else our own. */
const openReader = async (): Promise<Reader> => (await nativeReader()) ?? ownReader(await loadBarcodeReader())

async function nativeReader(): Promise<Reader | undefined> {
  const Native = detectorClass()
  const known: readonly string[] = (await Native?.getSupportedFormats().catch(() => [])) ?? []
  const formats = Object.keys(barcodeFormats).filter((kind) => known.includes(kind))
  // Browsers that do not list UPC-A read it as EAN-13.
  const isAll = Object.keys(barcodeFormats).every((kind) => kind === 'upc_a' || formats.includes(kind))
  if (!Native || !isAll) return undefined
  const detector = new Native({ formats })
  return async (video) => {
    const [seen] = await detector.detect(video).catch(() => [])
    return seen && toPrintedBarcode(seen.rawValue, seen.format)
  }
}

function ownReader(read: Awaited<ReturnType<typeof loadBarcodeReader>>): Reader {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  return async (video) => {
    const [width, height] = [video.videoWidth * FRAME.width, video.videoHeight * FRAME.height]
    const scale = Math.min(1, PIXELS / width)
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
    Object.assign(context.canvas, size)
    const [x, y] = [video.videoWidth * FRAME.x, video.videoHeight * FRAME.y]
    context.drawImage(video, x, y, width, height, 0, 0, size.width, size.height)
    return read(context.getImageData(0, 0, size.width, size.height))
  }
}

type Trouble = 'none' | 'blind'

/** Starts the camera and reads it periodically; returns a function that stops it. A code held in view counts once. */
function scan(video: () => HTMLVideoElement | null, onCode: (code: string) => void, onTrouble: (why: Trouble) => void) {
  let stream: MediaStream | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let isOver = false
  let isLooking = false
  let seen = { code: '', at: 0 }

  const stop = () => stream?.getTracks().forEach((track) => track.stop())
  const look = async (read: Reader) => {
    const shown = video()
    if (isLooking || !shown || shown.readyState < 2) return
    isLooking = true
    const code = await read(shown).finally(() => (isLooking = false))
    if (isOver || !code) return
    const isAgain = code === seen.code && Date.now() - seen.at < SAME_AGAIN
    seen = { code, at: Date.now() }
    if (isAgain) return
    navigator.vibrate?.(40)
    onCode(code)
  }

  openReader().then(
    (read) => {
      if (!isOver) timer = setInterval(() => void look(read), EVERY)
    },
    () => {
      onTrouble('blind')
      stop()
    },
  )

  void navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
    (opened) => {
      stream = opened
      const shown = video()
      if (isOver || !shown) return stop()
      shown.srcObject = opened
      void shown.play().catch(() => {})
    },
    () => onTrouble('none'),
  )

  return () => {
    isOver = true
    clearInterval(timer)
    stop()
  }
}

/** The barcode camera; reports the same code again only after a moment without it. */
export default function BarcodeScanner({ onCode }: { onCode: (code: string) => void }) {
  const t = useLocalize()
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onCode)
  const [trouble, setTrouble] = useState<Trouble>()
  useEffect(() => {
    latest.current = onCode
  })
  useEffect(
    () =>
      scan(
        () => video.current,
        (code) => latest.current(code),
        setTrouble,
      ),
    [],
  )
  if (trouble)
    return (
      <p className="kit-bad" role="alert">
        {t(words[trouble])}
      </p>
    )
  return (
    <div className="goods-camera">
      <video ref={video} muted playsInline aria-label={t(words.aim)} />
      <span>{t(words.aim)}</span>
    </div>
  )
}
