import { useParams } from 'react-router'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { eleAptitude } from './ele-aptitude.resource.ts'

const intro = {
  zh: '饿了么要求的证照：营业执照与食品经营许可证',
  en: 'Licenses required by Ele.me: business license and food license',
}

/** Licences of all shops, or of one: /ele/eleAptitude/{eleShopId}. */
export default function EleAptitudePage() {
  const { eleShopId } = useParams()
  return (
    <ResourcePage
      resource={eleAptitude}
      page={{
        intro,
        fixed: eleShopId ? { eleShopId } : undefined,
        isNarrowed: !!eleShopId,
        preset: () => (eleShopId ? { eleShopId } : {}),
      }}
    />
  )
}
