import { rowSidePanelSlot } from '#kit/web/detail/side-panel-slot.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/camera': () => import('./camera.page.tsx'),
    '/device/wall': () => import('./wall.page.tsx'),
  },
  resources: {
    '/resource/videoAccount': () =>
      import('./video-account.resource.ts').then((m) => ({
        resource: m.videoAccount,
        intro: {
          zh: '摄像头所在的视频平台（WVP）；密码和密钥只在服务器上用，浏览器拿不到',
          en: 'Video platforms (WVP) of your cameras. Passwords and keys stay on the server.',
        },
      })),
    '/device/cameraPicture': () =>
      import('./camera-picture.resource.ts').then((m) => ({
        resource: m.cameraPicture,
        intro: {
          zh: '和事件一起留下的画面；录像删除后它们还在',
          en: 'Images saved with events. They are kept after recordings are deleted.',
        },
      })),
  },
  fills: [defineSlotFilling(rowSidePanelSlot, () => import('./moment-video.panel.tsx'))],
} satisfies ModulePages
