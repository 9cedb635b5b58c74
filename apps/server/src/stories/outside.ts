import type { Services } from '#kit/server/services.ts'
import {
  difyPlatform,
  elePlatform,
  meituanPlatform,
  videoPlatform,
  wechatpayPlatform,
  wechatPlatform,
  type Platform,
} from '#simulators/outside/platforms.ts'
import { startAiThere } from './ai-simulator.ts'
import { startEleThere } from './ele-simulator.ts'
import { startPayThere } from './pay-simulator.ts'
import { startMeituanThere } from './platforms.ts'
import { startVideoThere } from './video-simulator.ts'
import { startWechatThere } from './wechat-simulator.ts'

/** The platforms around the demo story, each with what can be wrong with it. */
export const startOutside = async (services: Services, address: string): Promise<Platform[]> => [
  meituanPlatform(await startMeituanThere(services, address)),
  elePlatform(await startEleThere(services, address)),
  wechatpayPlatform(await startPayThere(services, address)),
  wechatPlatform(await startWechatThere(services)),
  difyPlatform(await startAiThere(services)),
  ...(await startVideoThere(services)).map(videoPlatform),
]
