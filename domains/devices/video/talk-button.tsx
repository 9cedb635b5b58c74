import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import { ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { encodeCameraALawSample } from './a-law.ts'
import { words } from './camera-words.ts'
import { cameraBeginTalkCall } from './talk.calls.ts'

const RATE = 8_000
const PART = 1024

type Talk = { stop: () => void }

/** Converts samples at the microphone's rate to A-law of 8,000 samples a second, by averaging. */
function aLawFrom(samples: Float32Array, rate: number): Uint8Array {
  const step = rate / RATE
  const out = new Uint8Array(Math.floor(samples.length / step))
  for (let n = 0; n < out.length; n++) {
    const [from, until] = [Math.floor(n * step), Math.max(Math.floor(n * step) + 1, Math.floor((n + 1) * step))]
    let sum = 0
    for (let at = from; at < until; at++) sum += samples[at]!
    out[n] = encodeCameraALawSample(Math.round(Math.max(-1, Math.min(1, sum / (until - from))) * 32_767))
  }
  return out
}

async function startTalk(id: string, ready: () => void, cut: () => void): Promise<Talk> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, channelCount: 1 },
  })
  const stopMic = () => stream.getTracks().forEach((track) => track.stop())
  try {
    const { address } = await callApi(cameraBeginTalkCall, { id }, { quiet: true })
    const socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}${address}`)
    const context = new AudioContext()
    // Deprecated, but an AudioWorklet would need a file of its own, and the work is small.
    const listener = context.createScriptProcessor(PART, 1, 1)
    listener.addEventListener('audioprocess', ({ inputBuffer }) => {
      const part = aLawFrom(inputBuffer.getChannelData(0), inputBuffer.sampleRate)
      if (socket.readyState === WebSocket.OPEN) socket.send(part as Uint8Array<ArrayBuffer>)
    })
    context.createMediaStreamSource(stream).connect(listener)
    listener.connect(context.destination)
    const stop = () => {
      stopMic()
      void context.close().catch(() => {})
      socket.close()
    }
    socket.addEventListener('message', ready)
    socket.addEventListener('close', () => {
      stop()
      cut()
    })
    return { stop }
  } catch (error) {
    stopMic()
    throw error
  }
}

/** Button that talks through a camera until it is pressed again. */
export function TalkButton({ id }: { id: string }) {
  const t = useLocalize()
  const [state, setState] = useState<'off' | 'waiting' | 'on'>('off')
  const talk = useRef<Talk>(undefined)
  const stop = () => {
    talk.current?.stop()
    talk.current = undefined
    setState('off')
  }
  useEffect(() => () => talk.current?.stop(), [])
  const start = async () => {
    setState('waiting')
    try {
      talk.current = await startTalk(
        id,
        () => setState('on'),
        () => {
          if (talk.current) toast.error(t(words.cut))
          stop()
        },
      )
    } catch (error) {
      toast.error(error instanceof ApiError ? error.msg : t(words.noMic))
      setState('off')
    }
  }
  const label = t(state === 'on' ? words.talking : state === 'waiting' ? words.waiting : words.talk)
  return (
    <Button
      icon={<Icon name="audio" />}
      type={state === 'on' ? 'primary' : 'default'}
      danger={state === 'on'}
      loading={state === 'waiting'}
      aria-pressed={state === 'on'}
      onClick={() => (state === 'off' ? void start() : stop())}
    >
      {label}
    </Button>
  )
}
