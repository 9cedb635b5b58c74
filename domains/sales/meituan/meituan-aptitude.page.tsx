import { useParams } from 'react-router'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { meituanAptitude } from './meituan-aptitude.resource.ts'

const intro = {
  zh: '美团要求的证照：营业执照与食品经营许可证',
  en: 'Licenses required by Meituan: business license and food license',
}

/** Licences of all shops, or of one: /meituan/meituanAptitude/{meituanShopId}. */
export default function MeituanAptitudePage() {
  const { meituanShopId } = useParams()
  return (
    <ResourcePage
      resource={meituanAptitude}
      page={{
        intro,
        fixed: meituanShopId ? { meituanShopId } : undefined,
        isNarrowed: !!meituanShopId,
        preset: () => (meituanShopId ? { meituanShopId } : {}),
      }}
    />
  )
}
