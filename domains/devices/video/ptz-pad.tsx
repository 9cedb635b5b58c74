import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import type { IconName } from '#kit/base/icon-names.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { camera } from './camera.resource.ts'
import { words } from './camera-words.ts'
import { cameraPresetsCall } from './ptz.calls.ts'

type Direction = Extract<
  keyof typeof words,
  'up' | 'down' | 'left' | 'right' | 'zoomin' | 'zoomout' | `${'up' | 'down'}${string}`
>

/** The pad's buttons by rows: direction, icon, and its rotation in degrees. */
const PAD: readonly (readonly [Direction, IconName, number])[] = [
  ['upleft', 'arrow-up', -45],
  ['up', 'arrow-up', 0],
  ['upright', 'arrow-up', 45],
  ['left', 'arrow-left', 0],
  ['zoomin', 'zoom-in', 0],
  ['right', 'arrow-right', 0],
  ['downleft', 'arrow-down', 45],
  ['down', 'arrow-down', 0],
  ['downright', 'arrow-down', -45],
]

/** How often a press is repeated. The server stops the camera when repeats are missing. */
const AGAIN_MS = 1_000

/** Turns the camera while a button is pressed, and stops it on release in every case. */
function usePress(id: string) {
  const timer = useRef<ReturnType<typeof setInterval>>(undefined)
  /** The request in progress. The stop is sent after it. */
  const pendingRequest = useRef<Promise<unknown>>(Promise.resolve())
  const release = () => {
    if (!timer.current) return
    clearInterval(timer.current)
    timer.current = undefined
    const stop = () =>
      apiPost(`${camera.path}/press`, { body: { id, command: 'stop' } }, { quiet: true }).catch(() => {})
    pendingRequest.current = pendingRequest.current.then(stop)
  }
  const latest = useRef(release)
  latest.current = release
  useEffect(() => {
    const letGo = () => latest.current()
    addEventListener('blur', letGo)
    return () => {
      removeEventListener('blur', letGo)
      letGo()
    }
  }, [])
  const press = (command: Direction) => {
    release()
    const say = () =>
      apiPost(`${camera.path}/press`, { body: { id, command } }, { quiet: true }).catch((error: unknown) => {
        clearInterval(timer.current)
        timer.current = undefined
        toast.error(error instanceof ApiError ? error.msg : String(error))
      })
    const again = () => {
      pendingRequest.current = pendingRequest.current.then(say)
    }
    timer.current = setInterval(again, AGAIN_MS)
    again()
  }
  return { press, release }
}

/** Buttons that turn a camera while they are held, by mouse, finger or key. */
export function PtzPad({ id }: { id: string }) {
  const t = useLocalize()
  const { press, release } = usePress(id)
  const button = ([command, icon, turned]: (typeof PAD)[number]) => (
    <Button
      key={command}
      icon={<Icon name={icon} style={turned ? { transform: `rotate(${turned}deg)` } : undefined} />}
      aria-label={t(words[command])}
      data-tip={t(words[command])}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        press(command)
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={(event) => [' ', 'Enter'].includes(event.key) && !event.repeat && press(command)}
      onKeyUp={release}
      onBlur={release}
    />
  )
  return (
    <div>
      <p className="kit-quiet">{t(words.turn)}</p>
      <div className="video-pad">
        {PAD.map(button)}
        {button(['zoomout', 'zoom-out', 0])}
      </div>
    </div>
  )
}

const NUMBERS = 255

/** Calls, saves and deletes the camera's presets (stored views). */
export function CameraPresets({ id }: { id: string }) {
  const t = useLocalize()
  const lang = useLanguage()
  const [no, setNo] = useState<number>()
  const { data = [], refetch } = useQuery({
    queryKey: ['video', 'presets', id, lang],
    queryFn: () => callApi(cameraPresetsCall, { id }, { quiet: true }),
    retry: false,
  })
  const free = Array.from({ length: NUMBERS }, (_one, n) => n + 1).find(
    (one) => !data.some((preset) => preset.no === one),
  )

  const act = async (what: 'call' | 'set' | 'drop') => {
    await apiPost(`${camera.path}/preset`, { body: { id, no, act: what } })
    if (what === 'call') return
    toast.success(t(words.kept))
    await refetch()
  }
  const run = (what: 'call' | 'set' | 'drop') => void act(what).catch(() => {})
  const isKnown = data.some((preset) => preset.no === no)

  return (
    <div className="video-side">
      <p className="kit-quiet">{t(words.presets)}</p>
      <Select
        aria-label={t(words.preset)}
        placeholder={t(words.preset)}
        value={no}
        onChange={setNo}
        options={[
          ...data.map((preset) => ({ value: preset.no, label: preset.name })),
          ...(free ? [{ value: free, label: t(words.newPreset, { no: free }) }] : []),
        ]}
      />
      <div className="video-row">
        <Button disabled={!isKnown} onClick={() => run('call')}>
          {t(words.goPreset)}
        </Button>
        <Button disabled={no === undefined} onClick={() => run('set')}>
          {t(words.setPreset)}
        </Button>
        <Button disabled={!isKnown} onClick={() => run('drop')}>
          {t(words.dropPreset)}
        </Button>
      </div>
    </div>
  )
}

type Point = { x: number; y: number }
const SMALLEST = 0.03

/** Lets the user draw a box on the picture, to which the camera then zooms. */
export function ZoomBox({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useLocalize()
  const [drawn, setDrawn] = useState<{ from: Point; to: Point }>()

  const pointOf = (event: PointerEvent<HTMLElement>): Point => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height }
  }

  const finish = () => {
    if (!drawn) return
    const { from, to } = drawn
    const [wide, high] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
    setDrawn(undefined)
    if (wide < SMALLEST || high < SMALLEST) return
    const body = { id, x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, wide, high }
    void apiPost(`${camera.path}/zoomTo`, { body })
      .catch(() => {})
      .finally(onDone)
  }

  const part = (value: number) => `${Math.max(0, Math.min(1, value)) * 100}%`
  return (
    <div
      className="video-box"
      role="application"
      aria-label={t(words.box)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrawn({ from: pointOf(event), to: pointOf(event) })
      }}
      onPointerMove={(event) => drawn && setDrawn({ ...drawn, to: pointOf(event) })}
      onPointerUp={finish}
    >
      {drawn && (
        <i
          style={{
            left: part(Math.min(drawn.from.x, drawn.to.x)),
            top: part(Math.min(drawn.from.y, drawn.to.y)),
            width: part(Math.abs(drawn.to.x - drawn.from.x)),
            height: part(Math.abs(drawn.to.y - drawn.from.y)),
          }}
        />
      )}
    </div>
  )
}
