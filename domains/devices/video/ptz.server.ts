import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { callPlatformForCamera, requireCameraAccess, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { PTZ_DIRECTIONS, sendFrontEndCommand, listPresets, zoomToBox, type PtzDirection } from './platform.ts'
import { cameraPresetsCall } from './ptz.calls.ts'
import { acquireCameraControl, limitCameraCommandRate, moveCameraWhilePressed } from './ptz.ts'
import { cameraIdField } from './recordings.calls.ts'
const can = 'camera_ptz'
const speed = f.number({ label: { zh: '速度', en: 'Speed' }, min: 1, max: 255, default: 96 })

/** PTZ types of cameras that cannot turn: half domes and fixed ones. */
const FIXED = new Set(['2', '3'])

/** Returns a camera the caller may turn; refuses one that cannot turn. */
async function turning(call: Call, named: { id: string | null }): Promise<CameraAccess> {
  const reached = await requireCameraAccess(call, named)
  if (FIXED.has(String(reached.row.ptzType))) throw new Refused('camera_fixed', { name: reached.row.name })
  return reached
}

const pressRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/press`,
  title: { zh: '转动摄像头', en: 'Move camera' },
  can,
  tx: false,
  input: {
    id: cameraIdField,
    command: f.text({
      label: { zh: '方向', en: 'Direction' },
      required: true,
      pattern: `^(${PTZ_DIRECTIONS.join('|')})$`,
      sample: 'left',
    }),
    speed,
  },
  handle: async (call) => {
    const { command, speed: requestedSpeed } = call.input
    const at = requestedSpeed ?? 96
    const reached = await turning(call, call.input)
    const move = {
      command: command as PtzDirection,
      horizonSpeed: at,
      verticalSpeed: at,
      zoomSpeed: Math.ceil(at / 16),
    }
    await moveCameraWhilePressed(call, reached, move)
  },
})

const PRESET = { call: 130, set: 129, drop: 131 } as const

const presetRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/preset`,
  title: { zh: '预置位', en: 'Camera preset' },
  can,
  tx: false,
  input: {
    id: cameraIdField,
    no: f.number({ label: { zh: '预置位编号', en: 'Preset number' }, required: true, min: 1, max: 255 }),
    act: f.text({ label: { zh: '动作', en: 'Action' }, required: true, pattern: '^(call|set|drop)$', sample: 'call' }),
  },
  handle: async (call) => {
    const { no, act } = call.input
    const reached = await turning(call, call.input)
    await acquireCameraControl(call, reached)
    await limitCameraCommandRate(call, reached)
    const cmdCode = PRESET[act as keyof typeof PRESET]
    await callPlatformForCamera(call, reached, (services, account, channel) =>
      sendFrontEndCommand(services, account, channel, { cmdCode, parameter1: 1, parameter2: no, combindCode2: 0 }),
    )
  },
})

const presetsRoute = defineRoute(cameraPresetsCall, {
  title: { zh: '预置位列表', en: 'List presets' },
  can,
  tx: false,
  handle: async (call) => callPlatformForCamera(call, await turning(call, call.input), listPresets),
})

const share = (zh: string, en: string) => f.number({ label: { zh, en }, required: true, min: 0, max: 1, decimals: 4 })
/** The zoom box is given in dots of a window of this size. The protocol allows any. */
const WINDOW = { length: 1000, width: 1000 }

const zoomRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/zoomTo`,
  title: { zh: '框选放大', en: 'Box zoom' },
  can,
  tx: false,
  input: {
    id: cameraIdField,
    x: share('框的中心（横）', 'Box center (horizontal)'),
    y: share('框的中心（纵）', 'Box center (vertical)'),
    wide: share('框宽', 'Box width'),
    high: share('框高', 'Box height'),
    isOut: f.boolean({ label: { zh: '缩小', en: 'Zoom out' } }),
  },
  handle: async (call) => {
    const { x, y, wide, high, isOut } = call.input
    const reached = await turning(call, call.input)
    await acquireCameraControl(call, reached)
    await limitCameraCommandRate(call, reached)
    const dots = (value: number | null) => Math.round((value ?? 0) * WINDOW.length)
    const box = { ...WINDOW, midpointx: dots(x), midpointy: dots(y), lengthx: dots(wide), lengthy: dots(high) }
    await callPlatformForCamera(call, reached, (services, account, channel) =>
      zoomToBox(services, account, channel, box, isOut !== true),
    )
  },
})

export const ptzRoutes = [pressRoute, presetRoute, presetsRoute, zoomRoute]
