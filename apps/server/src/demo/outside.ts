import type { Services } from '#kit/server/module/services.ts'
import {
  difyPlatform,
  elePlatform,
  meituanPlatform,
  videoPlatform,
  wechatpayPlatform,
  wechatPlatform,
  type Platform,
} from '#simulators/outside/platforms.ts'
import { startDemoDifySimulator } from './ai-simulator.ts'
import { startEleSimulator } from './ele-simulator.ts'
import { startDemoWechatPaySimulator } from './pay-simulator.ts'
import { startMeituanSimulator } from './platforms.ts'
import { startVideoSimulator } from './video-simulator.ts'
import { startWechatSimulator } from './wechat-simulator.ts'

/** Starts the simulated platforms of the demo data, each with the faults it can be given. */
export const startPlatformSimulators = async (services: Services, address: string): Promise<Platform[]> => [
  meituanPlatform(await startMeituanSimulator(services, address)),
  elePlatform(await startEleSimulator(services, address)),
  wechatpayPlatform(await startDemoWechatPaySimulator(services, address)),
  wechatPlatform(await startWechatSimulator(services)),
  difyPlatform(await startDemoDifySimulator(services)),
  ...(await startVideoSimulator(services)).map(videoPlatform),
]
