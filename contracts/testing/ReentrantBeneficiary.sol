// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FinancingRouter} from "../FinancingRouter.sol";
import {IReceiptCallback} from "./CallbackToken.sol";

/// @notice A beneficiary that calls the router again while it receives an advance, and keeps the router's answer.
contract ReentrantBeneficiary is IReceiptCallback {
    FinancingRouter private immutable _router;
    bytes private _callAgain;
    bytes public refusal;

    constructor(FinancingRouter router) {
        _router = router;
    }

    function financeAndCallAgain(bytes32 claimId, address vault, uint256 faceAmount, bytes calldata callAgain) external {
        _callAgain = callAgain;
        _router.executeFinancing(claimId, vault, faceAmount, 0, type(uint256).max);
    }

    function afterReceipt() external {
        (bool accepted, bytes memory answer) = address(_router).call(_callAgain);
        if (!accepted) refusal = answer;
    }
}
