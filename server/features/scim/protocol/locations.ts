/** The address of a person, and of a group; of an empty id, what all of them begin with. */
export const userLocation = (baseUrl: string, scimUserId: string) => `${baseUrl}/scim/v2/Users/${scimUserId}`
export const groupLocation = (baseUrl: string, scimGroupId: string) => `${baseUrl}/scim/v2/Groups/${scimGroupId}`
