import { maxRolesFile, type RolesInFile } from '#contract/service-roles/role-files.ts'
import type { DeclaredRole } from '#contract/service-roles/service-roles.ts'

export type RoleFileProblem = 'rolesImportTooLarge' | 'rolesImportNotJson'

/** The data URL of a file with the roles of a service, as an import reads it. */
export function roleFileAddress(roles: readonly DeclaredRole[]): string {
  const own = roles.map(({ roleId: _, serviceId: __, version: ___, ...role }) => role)
  return `data:application/json;charset=utf-8,${encodeURIComponent(`${JSON.stringify({ roles: own }, null, 2)}\n`)}`
}

/** Reads a chosen file. What it says, the server checks. */
export async function readRoleFile(file: Blob): Promise<{ list: RolesInFile } | { problem: RoleFileProblem }> {
  if (file.size > maxRolesFile) return { problem: 'rolesImportTooLarge' }
  try {
    const { version: _, ...list } = Object(JSON.parse(await file.text()))
    return { list: list as RolesInFile }
  } catch {
    return { problem: 'rolesImportNotJson' }
  }
}
