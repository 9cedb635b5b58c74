import { createResourcePage } from '#kit/web/page/page.tsx'
import { doorControlLog } from './door-control-log.resource.ts'

/** List of door commands and openings. */
export default createResourcePage(doorControlLog, {
  intro: {
    zh: '每一次开门关门的指令，被拒绝和没有确认的也在内',
    en: 'Every command to open or close a door, including rejected and unconfirmed ones',
  },
})
