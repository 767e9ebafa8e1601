// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.
export function validate(data){{if(data && typeof data == "object" && !Array.isArray(data)){if((data.meter_point_identifier === undefined)){return false;}else {if(data.meter_point_identifier !== undefined){if(typeof data.meter_point_identifier !== "string"){return false;}}}}else {return false;}}return true;}
