import { createResourcePage } from '#kit/web/page/page.tsx'
import { programVersionCells } from './version-cells.tsx'
import { clientVersion } from './versions.resource.ts'

export default createResourcePage(clientVersion, {
  intro: {
    zh: '网关程序的版本，按型号发布：先给一部分网关，没问题再放开比例',
    en: 'Gateway program releases by model. Release to some gateways first, then raise the percentage.',
  },
  cells: programVersionCells,
})
